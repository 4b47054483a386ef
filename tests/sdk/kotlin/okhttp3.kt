// As much of OkHttp 4 as the generated client touches, so that it can be compiled without it.
@file:Suppress("unused", "UNUSED_PARAMETER", "NOTHING_TO_INLINE")

package okhttp3

import java.io.Closeable
import java.io.File
import java.io.InputStream

class MediaType {
    companion object {
        fun String.toMediaTypeOrNull(): MediaType? = TODO()
    }
}

open class RequestBody {
    companion object {
        fun ByteArray.toRequestBody(contentType: MediaType? = null): RequestBody = TODO()
        fun String.toRequestBody(contentType: MediaType? = null): RequestBody = TODO()
        fun File.asRequestBody(contentType: MediaType? = null): RequestBody = TODO()
    }
}

class FormBody : RequestBody() {
    class Builder {
        fun add(name: String, value: String): Builder = this
        fun build(): FormBody = TODO()
    }
}

class MultipartBody : RequestBody() {
    class Builder {
        fun setType(type: MediaType): Builder = this
        fun addPart(headers: Headers?, body: RequestBody): Builder = this
        fun build(): MultipartBody = TODO()
    }

    companion object {
        val FORM: MediaType = TODO()
    }
}

class HttpUrl {
    val encodedPathSegments: List<String> = TODO()

    class Builder {
        fun scheme(scheme: String): Builder = this
        fun host(host: String): Builder = this
        fun addEncodedPathSegments(segments: String): Builder = this
        fun addPathSegment(segment: String): Builder = this
        fun addQueryParameter(name: String, value: String?): Builder = this
        fun build(): HttpUrl = TODO()
    }

    fun newBuilder(): Builder = TODO()

    companion object {
        fun String.toHttpUrlOrNull(): HttpUrl? = TODO()
    }
}

class Headers {
    class Builder {
        fun add(name: String, value: String): Builder = this
        fun build(): Headers = TODO()
    }

    fun toMultimap(): Map<String, List<String>> = TODO()

    companion object {
        fun Map<String, String>.toHeaders(): Headers = TODO()
    }
}

class Request {
    class Builder {
        fun url(url: HttpUrl): Builder = this
        fun get(): Builder = this
        fun head(): Builder = this
        fun delete(body: RequestBody?): Builder = this
        fun patch(body: RequestBody): Builder = this
        fun put(body: RequestBody): Builder = this
        fun post(body: RequestBody): Builder = this
        fun method(method: String, body: RequestBody?): Builder = this
        fun headers(headers: Headers): Builder = this
        fun build(): Request = TODO()
    }
}

class ResponseBody : Closeable {
    fun string(): String = TODO()
    fun bytes(): ByteArray = TODO()
    fun byteStream(): InputStream = TODO()
    override fun close() = TODO()
}

class Response : Closeable {
    val code: Int = TODO()
    val message: String = TODO()
    val headers: Headers = TODO()
    val body: ResponseBody? = TODO()
    val isSuccessful: Boolean = TODO()
    val isRedirect: Boolean = TODO()
    fun header(name: String, defaultValue: String? = null): String? = TODO()
    override fun close() = TODO()
}

interface Call {
    fun execute(): Response
    interface Factory {
        fun newCall(request: Request): Call
    }
}

interface Callback

class OkHttpClient : Call.Factory {
    override fun newCall(request: Request): Call = TODO()
    class Builder {
        fun build(): OkHttpClient = TODO()
    }
}
